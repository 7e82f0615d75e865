import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.js';
import { remove, segment } from '../../api/client.js';
import { Confirm } from './confirm.js';
import { toast } from './toast.js';

interface RemovalProps {
  /** The API path of the list, such as `api-keys`. */
  list: string;
  /** The id of the entry to delete; undefined while closed. */
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

/** Asks before an entry of a list is deleted. It is not an error if somebody else has deleted it first. */
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
