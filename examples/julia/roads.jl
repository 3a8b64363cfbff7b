# Four places and the roads between them: distances, a path, an error.
#
#   LD_LIBRARY_PATH=FOLDER_OF_LIBAPSP julia roads.jl
const lib = "libapsp"

message() = unsafe_string(@ccall lib.apsp_error_message()::Cstring)
checked(status) = status == 0 ? nothing : error(message())

"""Distances and paths of an undirected graph; vertices count from 0."""
mutable struct Solved
    handle::Ptr{Cvoid}
    function Solved(places, roads)
        builder, graph, result = Ref{Ptr{Cvoid}}(C_NULL), Ref{Ptr{Cvoid}}(C_NULL), Ref{Ptr{Cvoid}}(C_NULL)
        try
            checked(@ccall lib.apsp_builder_new(dense::Int64, 0::Cint, builder::Ptr{Ptr{Cvoid}})::Cint)
            for (from, to, km) in roads
                checked(@ccall lib.apsp_builder_add_edge(builder[]::Ptr{Cvoid}, from::UInt32, to::UInt32,
                                                         km::Cdouble)::Cint)
            end
            checked(@ccall lib.apsp_builder_build(builder[]::Ptr{Cvoid}, graph::Ptr{Ptr{Cvoid}})::Cint)
            checked(@ccall lib.apsp_solve(graph[]::Ptr{Cvoid}, C_NULL::Ptr{Cvoid}, result::Ptr{Ptr{Cvoid}})::Cint)
        finally
            @ccall lib.apsp_graph_free(graph[]::Ptr{Cvoid})::Cvoid
            @ccall lib.apsp_builder_free(builder[]::Ptr{Cvoid})::Cvoid
        end
        solved = new(result[])
        finalizer(s -> @ccall(lib.apsp_result_free(s.handle::Ptr{Cvoid})::Cvoid), solved)
    end
end

function distance(solved, from, to)
    out = Ref{Cdouble}(NaN)
    checked(@ccall lib.apsp_result_distance(solved.handle::Ptr{Cvoid}, from::UInt32, to::UInt32,
                                            out::Ptr{Cdouble})::Cint)
    out[]
end

function path(solved, from, to)
    length = Ref{Csize_t}(0)
    take(vertices) = checked(@ccall lib.apsp_result_path(solved.handle::Ptr{Cvoid}, from::UInt32, to::UInt32,
        vertices::Ptr{UInt32}, Base.length(vertices)::Csize_t, length::Ptr{Csize_t})::Cint)
    take(UInt32[])
    vertices = Vector{UInt32}(undef, length[])
    take(vertices)
    vertices
end

solved = Solved(4, [(0, 1, 2), (1, 2, 3), (0, 2, 9), (2, 3, 1)])
println("0 to 3: ", distance(solved, 0, 3), " km by ", Int.(path(solved, 0, 3)))
@assert distance(solved, 0, 3) == 6 && path(solved, 0, 3) == [0, 1, 2, 3]

wrong = try distance(solved, 0, 4); "" catch failure; failure.msg end
println("0 to 4: ", wrong)
@assert occursin("4", wrong)
