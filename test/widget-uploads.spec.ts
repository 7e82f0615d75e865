import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { replyFlow } from './support/flows.js';
import { describeInBrowser } from './support/page-fixture.js';
import { widgetFixture } from './support/widget-page.js';

const photograph = readFileSync(resolve(__dirname, '../samples/photographs/kitchen-1.jpg'));
const uploads = { isImageUploadAllowed: true };
const fullFileUpload = { status: true, allowedUploadFileTypes: '*' };
const file = (name: string, mimeType: string, text: string) => ({
  name,
  mimeType,
  buffer: Buffer.from(text),
});

/** Files sent by the published widget (contract sections 3 and 7). */
describeInBrowser('the published widget', () => {
  const fixture = widgetFixture();
  const { client } = fixture;

  it('sends photographs, which are recorded', async () => {
    const nodes = [
      { id: 'start', kind: 'start' },
      { id: 'capture', kind: 'capture', config: { area: 'Kitchen' } },
      { id: 'reply', kind: 'reply', config: { message: 'Recorded: {{capture.output.recorded.length}}' } },
    ];
    const edges = [
      { from: 'start', to: 'capture' },
      { from: 'capture', to: 'reply' },
    ];
    const flow = await client.flow({ name: 'Inspection', chat: { uploads }, nodes, edges });
    const widget = await fixture.visit(flow);
    await widget.choose('Image', { name: 'kitchen.jpg', mimeType: 'image/jpeg', buffer: photograph });
    await widget.say('The kitchen');
    await widget.answered('Recorded: 1');
    await widget.idle();
    await widget.reload();
    await widget.answered('Recorded: 1');
  });

  it('sends the texts of files with the question, whatever their type', async () => {
    const flow = await client.flow(
      replyFlow('{{question}}: {{file_attachment}}', { chat: { uploads, fullFileUpload } }),
    );
    const widget = await fixture.visit(flow);
    await widget.choose(
      'File',
      file('letter.txt', 'text/plain', 'Dear tenant'),
      file('Räume "1".yaml', 'application/yaml', 'rooms: 4'),
      file('notes', '', 'Ring twice'),
    );
    await widget.say('Read');
    await widget.answered(/letter\.txt[^]*Dear tenant[^]*Räume[^]*rooms: 4[^]*Ring twice/);
    await widget.idle();
  });

  it('sends a picture whole that was chosen as a file', async () => {
    const chat = { uploads: { ...uploads, imgUploadSizeAndTypes: [] }, fullFileUpload: { status: true } };
    const flow = await client.flow(replyFlow('{{uploads.0.mime}} {{uploads.0.size}}', { chat }));
    const widget = await fixture.visit(flow);
    await widget.choose('File', file('drawing.png', 'image/png', 'not a real one'));
    await widget.say('Look');
    await widget.answered('image/png 14');
  });

  it('reports that a file was refused', async () => {
    const flow = await client.flow(replyFlow('never', { chat: { fullFileUpload: { status: true } } }));
    const widget = await fixture.visit(flow);
    await widget.choose('File', file('archive.zip', 'application/zip', 'PK'));
    await widget.say('Read');
    await widget.answered('Unable to upload documents');
    await widget.idle();
  });
});
