/** Where a release or its change stands, without how long it took to be live: a list has a column for that, or no need of it. */
export const briefStanding = (state: string): string => state.replace(/; it was live .*$/, '.');
