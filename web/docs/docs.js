/**
 * The interactive reference: draws /api/openapi.json and sends requests from the page. Everything it shows is put in as
 * text, never as markup.
 */

/** An element with attributes and children; strings become text. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

function typeText(schema = {}) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (schema.enum) return schema.enum.map((choice) => JSON.stringify(choice)).join(' | ');
  if (schema.type === 'array') return `array of ${typeText(schema.items)}`;
  const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'pattern', 'maxItems', 'default']
    .filter((keyword) => schema[keyword] !== undefined)
    .map((keyword) => `${keyword} ${JSON.stringify(schema[keyword])}`);
  return [schema.type ?? 'any', ...bounds].join(', ');
}

function table(head, rows) {
  if (rows.length === 0) return null;
  const cells = (tag, row) => make('tr', {}, ...row.map((cell) => make(tag, {}, cell ?? '')));
  return make(
    'table',
    {},
    make('thead', {}, cells('th', head)),
    make('tbody', {}, ...rows.map((row) => cells('td', row))),
  );
}

function responseRows(responses) {
  return Object.entries(responses).map(([status, { description, content }]) => [
    status,
    description,
    Object.entries(content ?? {})
      .map(([media, { schema }]) => `${media}: ${typeText(schema)}`)
      .join('; '),
  ]);
}

/** Name, schema and whether it is required, of each field of a body that is a form. */
function formFields(operation) {
  const schema = operation.requestBody?.content['multipart/form-data']?.schema;
  const form = reference.components.schemas[schema?.$ref?.split('/').at(-1)] ?? schema;
  return Object.entries(form?.properties ?? {}).map(([name, of]) => [
    name,
    of,
    form.required?.includes(name) ?? false,
  ]);
}

/** The form that sends the operation, with its reply below. */
function tryOut(method, path, operation) {
  const fields = (operation.parameters ?? []).map((parameter) => ({
    parameter,
    input: make('input', { spellcheck: 'false' }),
  }));
  const content = operation.requestBody?.content['application/json'];
  const body = content && make('textarea', { rows: '6', spellcheck: 'false' });
  if (body) body.value = JSON.stringify(content.example ?? {}, null, 2);
  const parts = formFields(operation).map(([name, schema, required]) => ({
    name,
    required,
    input: make('input', { spellcheck: 'false', ...(schema.contentMediaType && { type: 'file' }) }),
  }));
  const output = make('pre', { hidden: '', 'aria-live': 'polite' });
  const send = async (event) => {
    event.preventDefault();
    let url = path;
    const query = new URLSearchParams();
    const headers = {};
    const key = document.getElementById('key').value.trim();
    if (key) headers['x-api-key'] = key;
    if (body) headers['content-type'] = 'application/json';
    for (const { parameter, input } of fields) {
      if (input.value === '' && parameter.in !== 'path') continue;
      if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (parameter.in === 'query') query.set(parameter.name, input.value);
      else headers[parameter.name] = input.value;
    }
    const form = parts.length > 0 ? new FormData() : undefined;
    for (const { name, input } of parts) {
      const value = input.type === 'file' ? input.files[0] : input.value;
      if (value) form.set(name, value);
    }
    output.hidden = false;
    output.textContent = '…';
    try {
      const reply = await fetch(query.size > 0 ? `${url}?${query}` : url, {
        method,
        headers,
        body: body?.value ?? form,
      });
      output.textContent = `${reply.status} ${reply.statusText}  x-request-id: ${reply.headers.get('x-request-id')}\n\n`;
      const json = reply.headers.get('content-type')?.includes('json');
      if (json) output.textContent += JSON.stringify(await reply.json(), null, 2);
      else
        for await (const text of reply.body?.pipeThrough(new TextDecoderStream()) ?? [])
          output.textContent += text;
    } catch (error) {
      output.textContent += String(error);
    }
  };
  return make(
    'form',
    { onsubmit: send },
    ...fields.map(({ parameter, input }) =>
      make('label', {}, `${parameter.name}${parameter.required ? ' *' : ''}`, input),
    ),
    body,
    ...parts.map(({ name, required, input }) => make('label', {}, `${name}${required ? ' *' : ''}`, input)),
    make('button', {}, 'Send'),
    output,
  );
}

function operationView(method, path, operation) {
  return make(
    'details',
    { id: operation.operationId },
    make(
      'summary',
      {},
      make('code', {}, make('span', { class: 'method' }, method), path),
      ` ${operation.summary}`,
    ),
    operation.description ? make('p', {}, operation.description) : null,
    table(
      ['Parameter', 'In', 'Type', ''],
      (operation.parameters ?? []).map((p) => [p.name, p.in, typeText(p.schema), p.description]),
    ),
    operation.requestBody
      ? make(
          'p',
          {},
          ...Object.entries(operation.requestBody.content).map(
            ([media, { schema }]) => `Body: ${media}, ${typeText(schema)}`,
          ),
        )
      : null,
    table(['Status', 'When', 'Body'], responseRows(operation.responses)),
    method === 'HEAD' ? null : tryOut(method, path, operation),
  );
}

function schemaView(name, schema) {
  return make(
    'details',
    { id: `schema-${name}` },
    make('summary', {}, make('code', {}, name), schema.description ? ` ${schema.description}` : ''),
    schema.enum ? make('p', {}, schema.enum.join(', ')) : null,
    table(
      ['Field', 'Type', 'Required', ''],
      Object.entries(schema.properties ?? {}).map(([field, of]) => [
        field,
        typeText(of),
        schema.required?.includes(field) ? 'yes' : 'no',
        of.description,
      ]),
    ),
  );
}

const reference = await (await fetch('/api/openapi.json')).json();
document.getElementById('summary').textContent =
  `${reference.info.summary} Version ${reference.info.version}.`;
const main = document.getElementById('operations');
for (const tag of reference.tags) {
  main.append(make('h2', {}, tag.name), make('p', {}, tag.description));
  for (const [path, methods] of Object.entries(reference.paths))
    for (const [method, operation] of Object.entries(methods))
      if (operation.tags.includes(tag.name))
        main.append(operationView(method.toUpperCase(), path, operation));
}
const schemas = document.getElementById('schemas');
for (const [name, schema] of Object.entries(reference.components.schemas))
  schemas.append(schemaView(name, schema));
if (location.hash) {
  const target = document.getElementById(location.hash.slice(1));
  if (target) target.open = true;
}
