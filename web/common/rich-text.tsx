import { memo, type ReactNode, use } from 'react';
import { AnswerContext } from './answer-context.js';
import { type Block, type MarkdownElement, type MarkdownNode, readMarkdown, wordsIn } from './markdown.js';
import { isReport, ReportCard } from './report-card.js';

/** An answer with its formatting. Its text never becomes HTML. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  const { growing } = use(AnswerContext);
  return readMarkdown(text).map((block, index) => <BlockView key={index} block={block} growing={growing} />);
});

/** Renders only changed blocks while an answer grows. */
const BlockView = memo(
  function BlockView({ block }: { block: Block; growing: boolean }) {
    return draw(block.content);
  },
  (before, after) => before.growing && after.growing && before.block.source === after.block.source,
);

const draw = (nodes: readonly MarkdownNode[]): ReactNode =>
  nodes.map((node, index) => (typeof node === 'string' ? node : <ElementView key={index} element={node} />));

function ElementView({ element }: { element: MarkdownElement }): ReactNode {
  const { tag: Tag, content, href = '', start, align } = element;
  switch (Tag) {
    case 'a':
      return <LinkView href={href} content={content} />;
    case 'pre':
      return (
        <pre tabIndex={0}>
          <code>{draw(content)}</code>
        </pre>
      );
    case 'table':
      return (
        <div className="table" tabIndex={0} role="group" aria-label="Table">
          <table>{draw(content)}</table>
        </div>
      );
    case 'ol':
      return <ol start={start}>{draw(content)}</ol>;
    case 'th':
    case 'td':
      return <Tag className={align}>{draw(content)}</Tag>;
    case 'br':
    case 'hr':
      return <Tag />;
    case 'p':
    case 'li':
      return <TextWithReports tag={Tag} content={content} />;
    default:
      return <Tag>{draw(content)}</Tag>;
  }
}

/** A paragraph or list item, with a card for each report that it links to. */
function TextWithReports({ tag, content }: { tag: 'p' | 'li'; content: readonly MarkdownNode[] }) {
  const { origin } = use(AnswerContext);
  const reports = [...new Set(linksIn(content).filter((href) => isReport(href, origin)))];
  const cards = reports.map((href) => <ReportCard key={href} href={href} />);
  if (tag === 'p')
    return (
      <>
        <p>{draw(content)}</p>
        {cards}
      </>
    );
  return (
    <li>
      {draw(content)}
      {cards}
    </li>
  );
}

/** Returns the links, except those of nested paragraphs and lists, which have their own cards. */
const linksIn = (nodes: readonly MarkdownNode[]): string[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string' || node.tag === 'p' || node.tag === 'ul' || node.tag === 'ol') return [];
    return node.href === undefined ? linksIn(node.content) : [node.href];
  });

function LinkView({ href, content }: { href: string; content: readonly MarkdownNode[] }): ReactNode {
  const { origin } = use(AnswerContext);
  // The card replaces the bare URL of a report.
  if (isReport(href, origin) && wordsIn(content).startsWith('http')) return null;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {draw(content)}
    </a>
  );
}
