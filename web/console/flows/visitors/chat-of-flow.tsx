import { Link } from '@tanstack/react-router';

/** A chat by its id, which leads to what was run in it. */
export const ChatOfFlow = ({ flowId, chatId }: { flowId: string; chatId: string }) => (
  <Link to="/console/executions" search={{ flowId, chatId }} className="visitors-chat" title={chatId}>
    {chatId}
  </Link>
);
