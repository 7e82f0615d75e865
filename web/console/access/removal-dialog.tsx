import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.js';
import { remove, segment } from '../api/client.js';
import { Confirm } from '../parts/confirm.js';
import { toast } from '../parts/toast.js';

interface RemovalProps {
  /** Where it stands, such as `api-keys`. */
  list: string;
  /** Nothing while there is nothing to ask. */
  id: string | undefined;
  title: string;
  action: string;
  /** What is said once it is gone. */
  done: string;
  /** What it means, in a sentence. */
  children: ReactNode;
  onClose: () => void;
}

/** Asks before a thing of a list goes for good. That somebody else has removed it before is no failure. */
export function RemovalDialog({ list, id, title, action, done, children, onClose }: RemovalProps) {
  const client = useQueryClient();
  const removeIt = async () => {
    if (id === undefined) return;
    await remove(`${list}/${segment(id)}`).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    });
    await client.invalidateQueries({ queryKey: [list] });
    toast(done);
  };
  return (
    <Confirm title={title} action={action} isOpen={id !== undefined} onClose={onClose} onConfirm={removeIt}>
      {children}
    </Confirm>
  );
}
