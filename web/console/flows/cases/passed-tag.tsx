import { AlertIcon, CheckIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';

/** The outcome of a case or check as a word, a sign and a colour. */
export const PassedTag = ({ passed }: { passed: boolean }) =>
  passed ? (
    <Tag tone="good" icon={<CheckIcon />}>
      Passed
    </Tag>
  ) : (
    <Tag tone="bad" icon={<AlertIcon />}>
      Failed
    </Tag>
  );
