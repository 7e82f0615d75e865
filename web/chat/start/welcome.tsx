import type { ReactNode } from 'react';
import { HouseIcon } from '../../common/icons.js';
import { Chips } from '../next-steps.js';
import { texts } from '../texts.js';
import type { Input } from '../turns/input.js';
import type { Brand } from './brand.js';
import type { ChatConfig } from './chat-config.js';
import { opensOffline } from './offline.js';
import { StartForm } from './start-form.js';

/** Shown while the chat is empty. */
export function Welcome({
  name,
  brand,
  config,
  onSend,
  children,
}: {
  name: string;
  brand: Brand;
  config: ChatConfig;
  onSend: (input: Input) => void;
  /** Unfinished chats to continue. */
  children: ReactNode;
}) {
  if (config.form)
    return (
      <>
        {children}
        <StartForm form={config.form} onSend={onSend} />
      </>
    );
  return (
    <div className="welcome">
      {brand.logo === undefined ? <HouseIcon /> : <img className="logo large" src={brand.logo} alt="" />}
      <h2>{name}</h2>
      <p>{config.photographs ? texts.writeOrAdd : texts.write}</p>
      {config.photographs && !opensOffline() && <p className="quiet-note">{texts.onlineOnly}</p>}
      <Chips prompts={config.starterPrompts} onPrompt={(text) => onSend({ text })} />
      {children}
    </div>
  );
}
