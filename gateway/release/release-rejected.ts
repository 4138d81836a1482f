/** Why a release, or the statement that names it, is not taken. The text is for the console's release page. */
export class ReleaseRejected extends Error {
  override readonly name = 'ReleaseRejected';
}

/** The console did not answer; worth repeating. */
export class ConsoleAway extends Error {
  override readonly name = 'ConsoleAway';
}
