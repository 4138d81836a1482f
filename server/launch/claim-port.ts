import { LaunchError } from './launch-error.ts';
import { describePortHolder } from './port-holder.ts';
import { findFreePort, isPortFree } from './ports.ts';
import { isErrno } from './processes.ts';

/** The port to use for a service: a free one for 0, else the wanted one, refused in one sentence when it is taken. */
export async function claimPort(variable: string, wanted: number, host: string): Promise<number> {
  try {
    if (wanted === 0) return await findFreePort(host);
    if (await isPortFree(wanted, host)) return wanted;
  } catch (cause) {
    if (isErrno(cause, 'EACCES')) {
      throw new LaunchError(`Port ${wanted} needs more rights than this user has: set ${variable} to one above 1023.`, {
        cause,
      });
    }
    if (isErrno(cause, 'EADDRNOTAVAIL', 'ENOTFOUND')) {
      throw new LaunchError(
        `${host} is no address of this machine: set ${variable.replace('PORT', 'HOST')} to one that is.`,
        { cause },
      );
    }
    throw cause;
  }
  throw new LaunchError(
    `Port ${wanted} is taken${describePortHolder(wanted)}: free it, or set ${variable} to another port (0 picks a free one).`,
  );
}
