import { type FormEvent, useState } from 'react';
import { Button } from '../parts/actions/button.js';
import { Field } from '../parts/entry/field.js';
import { giveFlowKey, useFlowKey } from './flow-keys.js';
import type { Place } from './place.js';
import './flow-key-field.css';

/** Asks for the key of a flow that has one, which the admin key does not replace. */
export function FlowKeyField({
  place,
  refused,
  onGiven,
}: {
  place: Place;
  refused: boolean;
  onGiven?: () => void;
}) {
  const given = useFlowKey(place.flowId);
  const [key, setKey] = useState('');
  if (!place.flow?.keyed && !refused) return null;
  if (given !== undefined && !refused)
    return (
      <p className="flow-key-given">
        This page holds the flow’s key until you close it.{' '}
        <button type="button" className="text-button" onClick={() => giveFlowKey(place.flowId, '')}>
          Remove the key
        </button>
      </p>
    );
  const give = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim() === '') return;
    giveFlowKey(place.flowId, key.trim());
    setKey('');
    onGiven?.();
  };
  return (
    <form className="flow-key" onSubmit={give}>
      <Field
        label="API key of this flow"
        type="password"
        value={key}
        onChange={setKey}
        autoComplete="off"
        fault={
          refused && given !== undefined ? 'The flow does not accept this key. Enter the flow’s own key.' : ''
        }
        hint="This flow needs its own key to record photographs and create reports. The key is not stored."
      />
      <Button type="submit">Use the key</Button>
    </form>
  );
}
