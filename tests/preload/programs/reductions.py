"""Collectives of mpi4py: of arrays in place, of numbers and of objects, checked on every rank."""

from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
ranks = world.Get_size()
rank = world.Get_rank()
right = True
for turn in range(40):
    values = array("d", [rank + turn, 2.0 * rank])
    world.Allreduce(MPI.IN_PLACE, values, op=MPI.SUM)
    total = ranks * (ranks - 1) / 2
    right = right and list(values) == [total + ranks * turn, 2 * total]
    gathered = array("i", [0] * ranks)
    world.Allgather(array("i", [rank * turn]), gathered)
    right = right and list(gathered) == [other * turn for other in range(ranks)]
    right = right and world.allreduce(rank, op=MPI.MAX) == ranks - 1
    right = right and world.bcast({"turn": turn} if rank == 0 else None) == {"turn": turn}
if all(world.allgather(right)) and rank == 0:
    print("verified")
