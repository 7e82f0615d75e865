import { ApiError } from '../../api/api-error.js';
import { Button } from '../actions/button.js';
import { AlertIcon, RepeatIcon } from '../icons.js';
import './problem.css';

/** An error in the service's words, with its faults and a retry button. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const api = error instanceof ApiError ? error : undefined;
  return (
    <div className="problem" role="alert">
      <AlertIcon />
      <div className="problem-text">
        <p>{api?.message ?? 'Something on this page failed. Try again, or reload the page.'}</p>
        {api !== undefined && api.errors.length > 0 && (
          <ul>
            {api.errors.slice(0, 50).map(({ path, message }, index) => (
              <li key={index}>
                <code>{path === '' ? 'body' : path}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {api !== undefined && api.status > 0 && (
          <p className="problem-code">
            {api.code}, status {api.status}
            {api.executionId === undefined ? '' : `, execution ${api.executionId}`}
          </p>
        )}
      </div>
      {onRetry && (
        <Button small icon={<RepeatIcon />} onPress={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
