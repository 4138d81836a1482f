/** Why someone who is no admin cannot change these settings. */
export const NOT_ADMIN = 'Only an admin changes this. People with the role admin are listed under People and roles.';
