import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.js';
import { remove, segment } from '../../api/client.js';
import { Confirm } from './confirm.js';
import { toast } from './toast.js';

interface RemovalProps {
  /** Where it stands, such as `api-keys`. */
  list: string;
  /** Nothing while there is nothing to ask. */
  id: string | undefined;
  title: string;
  action: string;
  /** The message once it is removed. */
  done: string;
  /** The consequences, in a sentence. */
  children: ReactNode;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Asks before an entry of a list is deleted. That somebody else has deleted it before is no failure. */
export function RemovalDialog({ list, id, title, action, done, children, onClose, onRemoved }: RemovalProps) {
  const client = useQueryClient();
  const removeIt = async () => {
    if (id === undefined) return;
    await remove(`${list}/${segment(id)}`).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    await client.invalidateQueries({ queryKey: [list] });
    toast(done);
    onRemoved?.();
  };
  return (
    <Confirm title={title} action={action} isOpen={id !== undefined} onClose={onClose} onConfirm={removeIt}>
      {children}
    </Confirm>
  );
}
