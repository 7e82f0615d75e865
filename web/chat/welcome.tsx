import type { Brand } from './brand.js';
import type { ChatConfig } from './chat-config.js';
import type { Input } from './conversation.js';
import { HouseIcon } from '../common/icons.js';
import { Chips } from './next-steps.js';
import { StartForm } from './start-form.js';

/** What stands where nothing has been said yet. */
export function Welcome({
  name,
  brand,
  config,
  onSend,
}: {
  name: string;
  brand: Brand;
  config: ChatConfig;
  onSend: (input: Input) => void;
}) {
  if (config.form) return <StartForm form={config.form} onSend={(form) => onSend({ text: '', form })} />;
  return (
    <div className="welcome">
      {brand.logo === undefined ? <HouseIcon /> : <img className="logo large" src={brand.logo} alt="" />}
      <h2>{name}</h2>
      <p>
        {config.photographs ? 'Write a message or add photographs to begin.' : 'Write a message to begin.'}
      </p>
      <Chips prompts={config.starterPrompts} onSend={onSend} />
    </div>
  );
}
