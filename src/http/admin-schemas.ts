/** Requests of the administration part as TypeBox schemas, checked and documented as those of the public part are. */
import { type Static, Type } from 'typebox';

const page = (max: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: max, default: 50, description: 'How many at most.' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, default: 0, description: 'How many to leave out first.' }),
  ),
});
const filter = (description: string) => Type.Optional(Type.String({ description }));

export const QueryLogQuery = Type.Object({
  ...page(500),
  mode: filter('Only answers of this mode.'),
  lang: filter('Only questions in this language.'),
  has_error: Type.Optional(
    Type.Boolean({ description: 'Only questions that ended, or did not end, in an error.' }),
  ),
  search: filter('Words that stand in question or answer, by stem.'),
  corpus_id: filter('Only questions to this corpus.'),
});

export const DocumentsQuery = Type.Object({ corpus_id: filter('Only documents of this corpus.') });

export const DocIdPath = Type.Object({ doc_id: Type.Integer() });
export const ChunksQuery = Type.Object(page(200));

export const BackfillQuery = Type.Object({
  doc_key: filter('Only documents of this key, in every corpus; absent: all documents.'),
  batch_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Chunks at a time.' }),
  ),
});

export const KeyIdPath = Type.Object({ key_id: Type.Integer() });

export const AuditLogQuery = Type.Object({ ...page(500), action: filter('Only entries of this action.') });

export const CreateApiKeyRequest = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What the key is for.' }),
    owner_email: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
    corpus_ids: Type.Optional(
      Type.Array(Type.String(), {
        default: [],
        description: 'Corpora the key is scoped to; empty: every active one.',
      }),
    ),
    rate_limit_rpm: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 30, description: 'Requests a minute.' }),
    ),
    rate_limit_rph: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 300, description: 'Requests an hour.' }),
    ),
  },
  { $id: 'CreateApiKeyRequest' },
);
export type CreateApiKeyRequest = Static<typeof CreateApiKeyRequest>;
