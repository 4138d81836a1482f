// Stands for `server-only` in tests: that package throws when it is imported outside a React server build.
export {};
