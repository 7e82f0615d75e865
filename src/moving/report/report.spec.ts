import { MOST_NAMED, MoveReport } from './move-report.js';
import { Progress } from './progress.js';
import { reportTable } from './report-table.js';

describe('the account of a move', () => {
  it('counts each kind by what became of it, and names who shares a reason once', () => {
    const report = new MoveReport();
    report.came('flow', 2);
    report.here('flow');
    report.left('flow', 'type CHATFLOW', 'one');
    report.left('flow', 'type CHATFLOW', 'two');
    report.left('message', 'no flow', undefined, 500_000);
    report.placeholder('node', 'no counterpart', 'one');
    report.left('lead', 'nothing', 'nobody', 0);
    report.note('Said once.', 'one');
    report.note('Said once.', 'two');
    expect(reportTable(report)).toBe(
      [
        '                        moved  already here   placeholder     not moved',
        'flows                       2             1             0             2',
        'nodes and tools             0             0             1             0',
        'messages                    0             0             0        500000',
        '',
        'Moved as a placeholder:',
        '  nodes and tools: "one": no counterpart',
        '',
        'Not moved:',
        '  flows: "one", "two": type CHATFLOW',
        '  messages: 500000: no flow',
        '',
        'Notes:',
        '  "one", "two": Said once.',
        '',
      ].join('\n'),
    );
  });

  it('stays small and on its lines, whatever things are called', () => {
    const report = new MoveReport();
    for (let at = 0; at < 1_000; at++)
      report.left('flow', 'a\nwhy\u001b[2J', `\u202e${at}\n${'x'.repeat(500)}`);
    const lines = reportTable(report).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[4]).toContain(' and more: a why [2J');
    expect(lines[4]!.split('", "')).toHaveLength(MOST_NAMED);
    expect(report.count('flow', 'left')).toBe(1_000);
  });
});

describe('the progress of a move', () => {
  it('is told at most every two seconds, of a short move not at all', () => {
    let now = 0;
    const told: string[] = [];
    const progress = new Progress({ elapsed: () => now }, (line) => told.push(line));
    for (let done = 1; done <= 50; done++) {
      now += 100;
      progress.step('messages', done, 50);
    }
    expect(told).toEqual(['messages: 20 of 50\n', 'messages: 40 of 50\n']);
  });
});
