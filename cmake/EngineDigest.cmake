# Writes the header DIGEST: a digest of the files HEADERS.
set(digests "")
foreach(header IN LISTS HEADERS)
  file(SHA256 ${header} one)
  string(APPEND digests ${one})
endforeach()
string(SHA256 all "${digests}")
string(SUBSTRING ${all} 0 16 all)
file(WRITE ${DIGEST} "#pragma once\n#define APSP_ENGINE_DIGEST \"${all}\"\n")
