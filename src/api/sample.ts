/** Values that the examples of several records share. */
export const requestId = '019aa1c2-7d3e-7c55-9a54-0c1f6f1b2a3d';
export const jobId = '019aa1c2-9b1f-7a10-8c3e-5d0a7e6f4b21';
export const now = '2026-11-21T09:30:00.000Z';
export const earlier = '2026-11-20T16:05:12.345Z';
/** Of an event in a history in files. */
export const position = '0000000000000412';
export const contentHash = '5f8c0b1e0a9d4c7e8b6a3f2d1c0e9b8a7f6e5d4c3b2a19080706050403020100';
export const question = 'What does article 17 say?';
export const answer =
  'Citizens have the right to gather peacefully and without weapons and to hold meetings, rallies, marches and pickets.';
