/** An event that one tab broadcasts to the others of its chat. */
export type News = 'photographs' | 'outbox' | 'corrected';

/** The other tabs of this browser that show the same chat. */
export class OtherTabs {
  private readonly channel: BroadcastChannel | undefined;

  constructor(flowId: string, chatId: string) {
    this.channel =
      'BroadcastChannel' in globalThis ? new BroadcastChannel(`chat:${flowId}:${chatId}`) : undefined;
  }

  notify(news: News): void {
    this.channel?.postMessage(news);
  }

  listen(listener: (news: News) => void): void {
    this.channel?.addEventListener('message', ({ data }: MessageEvent<News>) => listener(data));
  }
}
