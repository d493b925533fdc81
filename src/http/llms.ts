/** /llms.txt, /llms-full.txt and the consumer contract, which present the OpenAPI document to language models. */
import type { Document, DocumentSchema, Operation } from './openapi.ts';

const rules = [
  'Every answer is based on the documents of one corpus and names its sources; open a source before using the answer elsewhere.',
  'mode "no_answer" means that nothing was found, not that nothing exists; do not answer in its place.',
  'A citation has UTF-16 offsets into the answer and a verbatim quote from the revision it names.',
  'Sources from a layer that is no longer in force are returned only for questions about the past or a comparison, and are labelled as such.',
  'Send an Idempotency-Key when you may repeat a question, and wait for Retry-After on 429 and 503.',
];

const links = [
  ['OpenAPI 3.1 document', '/api/openapi.json', 'every operation, schema and error'],
  ['Reference', '/docs', 'the same content as pages to read and try out'],
  ['Everything as text', '/llms-full.txt', 'operations and schemas in one page'],
  ['Consumer contract', '/.well-known/docent-consumer.json', 'paths, credentials, limits and rules as JSON'],
] as const;

function operations(document: Document): { method: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** What both texts begin with. */
const introduction = (title: string, { info }: Document): string[] => [
  `# ${title}`,
  `> ${info.summary}`,
  info.description,
  `## Rules\n\n${rules.map((rule) => `- ${rule}`).join('\n')}`,
];

/** The short text: an introduction, the rules, the public operations and links. */
export function llmsText(document: Document): string {
  const open = operations(document).filter(({ operation }) => operation.tags[0] !== 'Administration');
  return [
    ...introduction(document.info.title, document),
    `## Operations\n\n${open.map(({ method, path, operation }) => `- \`${method} ${path}\`: ${operation.summary}`).join('\n')}`,
    `## Further reading\n\n${links.map(([name, path, what]) => `- [${name}](${path}): ${what}`).join('\n')}\n`,
  ].join('\n\n');
}

/** The long text: every operation with its parameters, bodies and replies, and every schema. */
export function llmsFullText(document: Document): string {
  const { title, version } = document.info;
  const parts = [...introduction(`${title} ${version}`, document), '## Operations'];
  for (const { method, path, operation } of operations(document)) {
    const lines = [`### ${method} ${path}`, '', operation.summary];
    if (operation.description) lines.push('', operation.description);
    for (const { name, in: location, required, description, schema } of operation.parameters ?? [])
      lines.push(
        `- ${location} \`${name}\` (${typeText(schema)}${required ? ', required' : ''}) ${description ?? ''}`.trimEnd(),
      );
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      lines.push(`- body: ${typeText(schema)}`);
      if (example !== undefined) lines.push('', '```json', JSON.stringify(example), '```', '');
    }
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      const schema = Object.values(content ?? {})[0]?.schema;
      lines.push(`- ${status}: ${description}${schema ? ` (${typeText(schema)})` : ''}`);
    }
    parts.push(lines.join('\n'));
  }
  parts.push('## Schemas');
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const lines = [`### ${name}`, ''];
    if (schema.description) lines.push(schema.description, '');
    if (schema.enum) lines.push(`One of ${schema.enum.join(', ')}.`);
    for (const [field, of] of Object.entries(schema.properties ?? {})) {
      const required = schema.required?.includes(field) ? ', required' : '';
      lines.push(`- \`${field}\` (${typeText(of)}${required}) ${of.description ?? ''}`.trimEnd());
    }
    parts.push(lines.join('\n').trimEnd());
  }
  return `${parts.join('\n\n')}\n`;
}

function typeText(schema: DocumentSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice)).join(' | ');
  if (schema.type === 'array') return `array of ${typeText(schema.items ?? {})}`;
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'default']
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => `${keyword} ${JSON.stringify(schema[keyword])}`);
  return [schema.type ?? 'any', ...bounds].join(', ');
}

/** /.well-known/docent-consumer.json. `keyRequired`: questions without a key are not answered. */
export function consumerContract(document: Document, { keyRequired }: { keyRequired: boolean }): object {
  return {
    name: document.info.title,
    version: document.info.version,
    description: document.info.summary,
    openapi: '/api/openapi.json',
    documentation: '/docs',
    context: ['/llms.txt', '/llms-full.txt'],
    authentication: { api_key_header: 'x-api-key', api_key_required: keyRequired, administration: 'basic' },
    limits: {
      windows: ['minute', 'hour'],
      counted_by: 'API key, or client address if there is no key',
      headers: ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
      exceeded: { status: 429, header: 'Retry-After' },
    },
    operations: operations(document).map(({ method, path, operation }) => ({
      method,
      path,
      summary: operation.summary,
      audience: operation.tags[0] === 'Administration' ? 'administrators' : 'everybody',
    })),
    stream: {
      media_type: 'text/event-stream',
      events: ['meta', 'sources', 'text', 'citation', 'replace', 'done', 'error'],
      terminal_events: ['done', 'error'],
      resume: 'GET /api/ask/stream/{request_id} with Last-Event-ID',
    },
    rules,
  };
}
