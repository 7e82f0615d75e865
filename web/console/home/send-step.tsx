import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { FlowSummary } from '../../../src/api/flows.js';
import { uniqueId } from '../../common/unique-id.js';
import { post } from '../api/client.js';
import { Button } from '../parts/actions/button.js';
import { CopyButton } from '../parts/actions/copy-button.js';
import { AnchorButton } from '../parts/actions/link-button.js';
import { Field } from '../parts/entry/field.js';
import { ChatIcon, ImageIcon } from '../parts/icons.js';
import { Problem } from '../parts/waiting/problem.js';

interface Sent {
  recorded: unknown[];
  rejected: { index: number; message: string }[];
}

/** Sends photographs by chat, or from this page. */
export function SendStep({ flow, onSent }: { flow: FlowSummary; onSent: () => void }) {
  const [area, setArea] = useState('Kitchen');
  const chat = `/chat/${encodeURIComponent(flow.id)}`;
  const [session] = useState(() => `first-report-${Date.now().toString(36)}`);
  const sending = useMutation({
    mutationFn: ({ files, messageId }: { files: readonly File[]; messageId: string }) => {
      const form = new FormData();
      form.append('flowId', flow.id);
      form.append('sessionId', session);
      form.append('area', area.trim() || 'Kitchen');
      form.append('messageId', messageId);
      for (const file of files) form.append('photographs', file, file.name);
      return post<Sent>('inspection/capture', form, { query: { flowId: flow.id } });
    },
    onSuccess: onSent,
  });
  return (
    <>
      {flow.access.public && (
        <div className="first-way">
          <p>In the chat, as an inspector would, ideally on a phone. It asks for everything it needs.</p>
          <div className="first-buttons">
            <AnchorButton look="primary" href={chat} target="_blank" rel="noopener">
              <ChatIcon /> Open the inspection chat
            </AnchorButton>
            <CopyButton text={location.origin + chat} label="Copy the address" showLabel />
          </div>
          {/^(127\.|localhost$|\[::1\]$)/.test(location.hostname) && (
            <p className="first-note">
              To use a phone, start the service with <code>HOST=0.0.0.0</code> and replace{' '}
              <code>{location.hostname}</code> with this computer’s name or address.
            </p>
          )}
        </div>
      )}
      <div className="first-way">
        <p>
          Or here, area by area, with this device’s photographs or camera:{' '}
          <Link to="/console/inspections" search={{ begin: 'yes', flowId: flow.id }}>
            start an inspection
          </Link>
          . A few photographs of one area are enough to try it.
        </p>
        <div className="first-form">
          <Field label="Area" value={area} onChange={setArea} maxLength={200} />
          <FileTrigger
            acceptedFileTypes={['image/*']}
            allowsMultiple
            onSelect={(list) => {
              if (list && list.length > 0) sending.mutate({ files: [...list], messageId: uniqueId() });
            }}
          >
            <Button icon={<ImageIcon />} isPending={sending.isPending}>
              Choose photographs
            </Button>
          </FileTrigger>
        </div>
        <Rejected sent={sending.data} />
        {sending.error && <Problem error={sending.error} onRetry={() => sending.mutate(sending.variables)} />}
      </div>
    </>
  );
}

function Rejected({ sent }: { sent: Sent | undefined }) {
  if (!sent || sent.rejected.length === 0) return null;
  return (
    <ul className="first-note" role="status">
      {sent.rejected.map(({ index, message }) => (
        <li key={index}>
          Photograph {index + 1}: {message}
        </li>
      ))}
    </ul>
  );
}
