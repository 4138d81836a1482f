/**
 * A reason not to start (or not to go on) that a person can act on: one sentence, shown as it is, without a stack.
 * Anything else that escapes the launcher is a fault of ours and is shown with its stack.
 */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
}
