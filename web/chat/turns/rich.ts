import { readMarkdown, wordsOf } from '../../common/markdown.js';

/** Everything of the page that reads Markdown: its parser is the largest part but one, and comes after the page. */
export { RichText } from '../../common/rich-text.js';

/** The words of an answer without its marks. */
export const spoken = (text: string): string => wordsOf(readMarkdown(text));
