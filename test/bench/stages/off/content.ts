import * as real from '#gateway/content/create-content.ts';

const IV_AND_CRC_BYTES = 16;

/** Writes as ever; a read gives bytes of the right length that nobody checked or decrypted. */
export const createContent: typeof real.createContent = (options) => ({
  ...real.createContent(options),
  open: async (_binding, sealed) =>
    Buffer.from(sealed.envelope, 'base64').subarray(IV_AND_CRC_BYTES, IV_AND_CRC_BYTES + sealed.plainBytes),
});
