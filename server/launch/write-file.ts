import { renameSync, writeFileSync } from 'node:fs';

/** Replaces a file as one step, so that a reader sees the old text or the new one, never a part. */
export function writeFileAtomically(file: string, text: string, mode = 0o600): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode });
  renameSync(draft, file);
}
