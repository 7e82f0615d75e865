/** An event that one tab broadcasts to the others of its flow. */
export type News = 'photographs' | 'restarted' | 'corrected';

/** The other tabs of this browser that show the same flow. */
export class OtherTabs {
  private readonly channel: BroadcastChannel | undefined;

  constructor(flowId: string) {
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`chat:${flowId}`) : undefined;
  }

  notify(news: News): void {
    this.channel?.postMessage(news);
  }

  listen(listener: (news: News) => void): void {
    this.channel?.addEventListener('message', ({ data }: MessageEvent<News>) => listener(data));
  }
}
