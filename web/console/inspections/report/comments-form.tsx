import { useId } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Field, GroupFault } from '../../parts/entry/field.js';
import { PlusIcon, TrashIcon } from '../../parts/icons.js';
import { SERVICE_AREAS } from '../photographs/service-areas.js';
import type { Draft } from './draft.js';

/** Comments on areas, for this report only. */
export function CommentsForm({
  comments,
  areas,
  onChange,
  fault,
}: {
  comments: Draft['comments'];
  areas: readonly string[];
  onChange: (comments: Draft['comments']) => void;
  fault: string | undefined;
}) {
  const known = [...new Set([...areas, ...SERVICE_AREAS.map(({ name }) => name)])];
  const list = useId();
  const put = (index: number, change: Partial<Draft['comments'][number]>) =>
    onChange(comments.map((comment, at) => (at === index ? { ...comment, ...change } : comment)));
  return (
    <fieldset className="report-comments">
      <legend>Comments</legend>
      <datalist id={list}>
        {known.map((area) => (
          <option key={area} value={area} />
        ))}
      </datalist>
      {comments.map(({ area, text }, index) => (
        <div key={index} className="report-comment">
          <label className="field">
            <span className="field-label">Area of comment {index + 1}</span>
            <input
              className="field-input"
              list={list}
              value={area}
              maxLength={200}
              onChange={({ target }) => put(index, { area: target.value })}
            />
          </label>
          <Field
            label={`Comment ${index + 1}`}
            value={text}
            onChange={(value) => put(index, { text: value })}
            rows={2}
          />
          <Button
            look="quiet"
            label={`Remove comment ${index + 1}`}
            icon={<TrashIcon />}
            onPress={() => onChange(comments.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        small
        icon={<PlusIcon />}
        onPress={() => onChange([...comments, { area: areas[0] ?? '', text: '' }])}
      >
        Add an area comment
      </Button>
      <GroupFault fault={fault} />
    </fieldset>
  );
}
