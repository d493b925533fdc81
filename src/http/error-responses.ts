/** Error responses. */
import { Type } from 'typebox';
import { record } from '../schema.ts';

export const ValidationError = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    msg: Type.String(),
    type: Type.String(),
    input: Type.Optional(Type.Unknown()),
    ctx: Type.Optional(Type.Object({})),
  },
  { $id: 'ValidationError' },
);

export const HTTPValidationError = record(
  'HTTPValidationError',
  { detail: Type.Optional(Type.Array(ValidationError)) },
  {
    example: {
      detail: [{ type: 'missing', loc: ['body', 'query'], msg: 'Field required', input: {} }],
    },
  },
);

export const ErrorResponse = record(
  'ErrorResponse',
  { detail: Type.String({ description: 'A sentence that can be shown to users.' }) },
  { description: 'Every error except 422.', example: { detail: 'Not found.' } },
);
