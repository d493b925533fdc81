/**
 * Reads server-sent events from a fetch body, because EventSource cannot POST.
 * Source: WHATWG HTML, "Server-sent events", parsing. Deviations: `retry` is ignored, an event without data is
 * skipped, and a stream that is silent for `silenceMs` (the server pings every 15 s) counts as dropped.
 */

/**
 * The events of a stream as they arrive. Throws when the connection breaks or falls silent.
 *
 * @param {ReadableStream<Uint8Array>} body
 * @param {number} silenceMs
 * @returns {AsyncGenerator<{ id: string, event: string, data: string }, void>}
 */
export async function* readEvents(body, silenceMs) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let halfEnd = false;
  let id = '';
  let event = '';
  /** @type {string[]} */
  let data = [];
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs);
      if (done) return;
      let text = decoder.decode(value, { stream: true });
      // The LF of a CRLF whose CR ended the previous bytes.
      if (halfEnd && text !== '') text = text.replace(/^\n/, '');
      halfEnd = text === '' ? halfEnd : text.endsWith('\r');
      const lines = (rest + text).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
          event = '';
          data = [];
          continue;
        }
        const colon = line.indexOf(':');
        const field = colon < 0 ? line : line.slice(0, colon);
        const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
        if (field === 'data') data.push(text);
        else if (field === 'event') event = text;
        else if (field === 'id') id = text;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} ms
 * @returns {Promise<T>}
 */
async function within(promise, ms) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = /** @type {Promise<never>} */ (
    new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('The stream is silent.')), ms);
    })
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
