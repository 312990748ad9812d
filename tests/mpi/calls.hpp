#pragma once

#include "mpi/case_buffers.hpp"

namespace postage {

/// The comparison's collective by the MPI library, into `receive`. Never in place: its result must not depend on how
/// well the library does that.
void call_library(const Comparison& comparison, const CaseBuffers& buffers, Buffer& receive);

/// By postage, in the buffers themselves.
void call_postage(const Comparison& comparison, MpiCollectives& collectives, CaseBuffers& buffers);

}  // namespace postage
