import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFiles } from '#server/cli/files/read-files.ts';
import { workplace } from './habitat.ts';

const note = (name: string) => `kind: objectType
name: ${name}
document:
  ownerTeam: chat
  description: Stores a note.
  classification: internal
  maxBytes: 1000
  audit:
    reads: none
    writes: none
`;

it('ten thousand files are read, and none is lost', () => {
  const place = workplace();
  for (let n = 0; n < 10_000; n += 1) place.write(`definitions/${n % 100}/N${n}.yaml`, note(`N${n}`));
  const { definitions, problems } = readFiles(join(place.folder, 'definitions'), place.folder);
  expect([definitions.length, problems.length]).toEqual([10_000, 0]);
});
