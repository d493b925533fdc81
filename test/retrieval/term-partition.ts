/** Texts in an index in memory, as retrieval holds them: one document of one chunk each. */
import type { Language } from '../../src/domain/events.ts';
import { PartitionTerms } from '../../src/retrieval/forward-index.ts';
import { Vocabulary } from '../../src/retrieval/term-dictionary.ts';
import { secondStem, stem } from '../../src/text/words.ts';

/** `known`: the words of the vocabulary, in order, each once; all words of the texts are among them. */
export function termPartition(
  known: readonly string[],
  texts: readonly { title?: readonly string[]; body: readonly string[]; lang?: Language }[],
): { partition: PartitionTerms; vocabulary: Vocabulary } {
  const vocabulary = new Vocabulary();
  vocabulary.add(known.map((word) => ({ word, stem: stem(word), second: secondStem(word) })));
  const partition = new PartitionTerms(vocabulary);
  for (const [n, { title = [], body, lang = 'ru' }] of texts.entries()) {
    const tokens = Uint32Array.from([...title, ...body], (word) => known.indexOf(word) + 1);
    partition.put({
      doc_id: n + 1,
      corpus_id: 'c',
      layer: 'main',
      title: '',
      event_date: null,
      stated: {},
      chunks: [{ id: n + 1, lang, titled: title.length, tokens }],
    });
  }
  return { partition, vocabulary };
}
