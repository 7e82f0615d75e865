import { useEffect, useState } from 'react';
import { copyText } from '../../../common/copy-text.js';
import { CheckIcon, CopyIcon } from '../icons.js';
import { toast } from '../overlay/toast.js';
import { Button } from './button.js';

/** Copies a text, or the result of `text()`. */
export function CopyButton({
  text,
  label = 'Copy',
  showLabel = false,
}: {
  text: string | (() => string);
  label?: string;
  showLabel?: boolean;
}) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    const done = await copyText(typeof text === 'function' ? text() : text);
    setCopied(done);
    toast(done ? 'Copied.' : 'The browser blocked copying. Select the text and copy it.');
  };
  return (
    <Button
      look="quiet"
      small
      icon={copied ? <CheckIcon /> : <CopyIcon />}
      label={label}
      onPress={() => void copy()}
    >
      {showLabel ? label : undefined}
    </Button>
  );
}
