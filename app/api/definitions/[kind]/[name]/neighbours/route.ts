import { handle } from '#server/http/handle.ts';
import { ListNeighboursInput, listNeighbours } from '#server/registry/list-neighbours.ts';

export const GET = handle(ListNeighboursInput, listNeighbours);
