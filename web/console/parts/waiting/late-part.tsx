import { CatchBoundary } from '@tanstack/react-router';
import { type FunctionComponent, lazy, type ReactNode, Suspense, useState } from 'react';
import { lateScripts } from '../../api/late-script.js';
import { Button } from '../actions/button.js';
import { AlertIcon, RepeatIcon } from '../icons.js';
import { LateSign } from './late-sign.js';
import './problem.css';

/** Loads the script of a part of a page on first use, showing `fallback` until then. If it fails, the rest of the page works. */
export function latePart<Props extends object>(
  load: () => Promise<{ default: FunctionComponent<Props> }>,
  fallback?: ReactNode,
): FunctionComponent<Props> {
  const Part = lazy(() => lateScripts.arrived(load)) as unknown as FunctionComponent<Props>;
  return function LatePart(props: Props) {
    // A part that suspends is rendered in slices, which begin again with each other change of the page.
    const [Known] = useState(() => lateScripts.known(load)?.default);
    return (
      <CatchBoundary getResetKey={() => 'part'} errorComponent={PartFailure}>
        {Known ? (
          <Known {...props} />
        ) : (
          <Suspense fallback={<LateSign>{fallback}</LateSign>}>
            <Part {...props} />
          </Suspense>
        )}
      </CatchBoundary>
    );
  };
}

function PartFailure() {
  return (
    <div className="problem" role="alert">
      <AlertIcon />
      <p className="problem-text">This part of the page cannot be shown.</p>
      <Button small icon={<RepeatIcon />} onPress={() => location.reload()}>
        Reload the page
      </Button>
    </div>
  );
}
