import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import type { FoundChunkView } from '../../../../src/api/documents.js';
import { post, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { SearchIcon } from '../../parts/icons.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import './query-box.css';

interface QueryRequest {
  query: string;
  topK: number;
}

const COUNTS = ['3', '5', '10', '20'] as const;

/** Runs a query as a flow would, and shows the chunks that the flow would receive. */
export function QueryBox({ storeId }: { storeId: string }) {
  const [query, setQuery] = useState('');
  const [most, setMost] = useState<(typeof COUNTS)[number]>('5');
  const asking = useMutation({
    gcTime: 0,
    mutationFn: (request: QueryRequest) =>
      post<{ data: FoundChunkView[] }>(`document-stores/${segment(storeId)}/query`, request),
  });
  const ask = () => {
    if (query.trim() !== '') asking.mutate({ query: query.trim(), topK: Number(most) });
  };
  return (
    <section className="query-box" aria-labelledby="query-box">
      <h2 id="query-box">Try a query</h2>
      <Form
        className="query-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!asking.isPending) ask();
        }}
      >
        <Field
          label="Query"
          autoComplete="off"
          value={query}
          onChange={setQuery}
          placeholder="Where is the stopcock?"
        />
        <div className="query-foot">
          <Select
            label="At most"
            options={COUNTS.map((value) => ({ value, name: `${value} chunks` }))}
            value={most}
            onChange={setMost}
            showLabel={false}
          />
          <Button look="primary" type="submit" icon={<SearchIcon />} isPending={asking.isPending}>
            Search
          </Button>
        </div>
      </Form>
      {asking.error && <Problem error={asking.error} onRetry={ask} />}
      {asking.data && <Found chunks={asking.data.data} />}
    </section>
  );
}

function Found({ chunks }: { chunks: readonly FoundChunkView[] }) {
  return (
    <>
      <p className="query-count" role="status">
        {chunks.length === 0
          ? 'Nothing found. No document in this store is ready.'
          : `${counted(chunks.length, 'chunk')}, nearest first`}
      </p>
      <ol className="query-found">
        {chunks.map((chunk, index) => (
          <li key={`${chunk.documentId} ${index}`}>
            <div className="query-head">
              <bdi>{chunk.name}</bdi>
              <span className="query-score" title="Similarity, from 0 to 1">
                {chunk.score.toFixed(3)}
              </span>
            </div>
            <meter min={0} max={1} value={chunk.score} aria-label={`Score of ${chunk.name}`} />
            <p tabIndex={0} role="region" aria-label={`Chunk ${index + 1} of ${chunks.length}`}>
              {chunk.text}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
