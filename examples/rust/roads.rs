//! Four places and the roads between them: distances, a path, an error. Panics where an answer is not the
//! expected one.
//!
//!     rustc roads.rs -L FOLDER_OF_LIBAPSP -l apsp && ./roads
use std::ffi::CStr;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::{null, null_mut};

/// Builders, graphs, options and results: what the library makes, and its `_free` ends.
type Handle = *mut c_void;

extern "C" {
    fn apsp_status_name(status: c_int) -> *const c_char;
    fn apsp_error_message() -> *const c_char;
    fn apsp_builder_new(vertices: i64, directed: c_int, out: *mut Handle) -> c_int;
    fn apsp_builder_add_edge(builder: Handle, from: u32, to: u32, weight: f64) -> c_int;
    fn apsp_builder_build(builder: Handle, out: *mut Handle) -> c_int;
    fn apsp_builder_free(builder: Handle);
    fn apsp_graph_free(graph: Handle);
    fn apsp_solve(graph: Handle, options: *const c_void, out: *mut Handle) -> c_int;
    fn apsp_result_distance(result: Handle, from: u32, to: u32, out: *mut f64) -> c_int;
    fn apsp_result_path(result: Handle, from: u32, to: u32, vertices: *mut u32, capacity: usize,
                        length: *mut usize) -> c_int;
    fn apsp_result_free(result: Handle);
}

fn text(words: *const c_char) -> String {
    unsafe { CStr::from_ptr(words) }.to_string_lossy().into_owned()
}

/// The cause and the way out, where a call failed.
fn checked(status: c_int) -> Result<(), String> {
    match status {
        0 => Ok(()),
        _ => Err(unsafe { format!("{}: {}", text(apsp_status_name(status)), text(apsp_error_message())) }),
    }
}

struct Solved(Handle);

impl Solved {
    fn new(places: i64, roads: &[(u32, u32, f64)]) -> Result<Solved, String> {
        let (mut builder, mut graph, mut result) = (null_mut(), null_mut(), null_mut());
        unsafe {
            checked(apsp_builder_new(places, 0, &mut builder))?;
            let built = roads
                .iter()
                .try_for_each(|&(from, to, weight)| checked(apsp_builder_add_edge(builder, from, to, weight)))
                .and_then(|_| checked(apsp_builder_build(builder, &mut graph)));
            apsp_builder_free(builder);
            built?;
            let solved = checked(apsp_solve(graph, null(), &mut result));
            apsp_graph_free(graph);
            solved.map(|_| Solved(result))
        }
    }

    fn distance(&self, from: u32, to: u32) -> Result<f64, String> {
        let mut distance = f64::NAN;
        checked(unsafe { apsp_result_distance(self.0, from, to, &mut distance) }).map(|_| distance)
    }

    fn path(&self, from: u32, to: u32) -> Result<Vec<u32>, String> {
        let mut length = 0;
        checked(unsafe { apsp_result_path(self.0, from, to, null_mut(), 0, &mut length) })?;
        let mut path = vec![0; length];
        checked(unsafe { apsp_result_path(self.0, from, to, path.as_mut_ptr(), length, &mut length) })?;
        Ok(path)
    }
}

impl Drop for Solved {
    fn drop(&mut self) {
        unsafe { apsp_result_free(self.0) }
    }
}

fn main() -> Result<(), String> {
    let solved = Solved::new(4, &[(0, 1, 2.0), (1, 2, 3.0), (0, 2, 9.0), (2, 3, 1.0)])?;
    let distance = solved.distance(0, 3)?;
    let path = solved.path(0, 3)?;
    println!("0 to 3: {} km by {:?}", distance, path);
    assert!(distance == 6.0 && path == [0, 1, 2, 3]);

    let wrong = solved.distance(0, 4).unwrap_err();
    println!("0 to 4: {}", wrong);
    assert!(wrong.contains('4'));
    Ok(())
}
