import { Link } from '@tanstack/react-router';

/** A link from a chat's id to its executions. */
export const ChatOfFlow = ({ flowId, chatId }: { flowId: string; chatId: string }) => (
  <Link to="/console/executions" search={{ flowId, chatId }} className="visitors-chat" title={chatId}>
    {chatId}
  </Link>
);
