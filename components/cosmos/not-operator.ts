/** Why somebody else cannot act on the local Cosmos endpoint, and who can. */
export const NOT_OPERATOR = 'The local Cosmos endpoint is set by an operator or an admin.';
