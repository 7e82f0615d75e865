import { InvalidRequest } from '../../common/service-error.js';
import { readRenderRequest } from './render-request.js';

const source = { type: 'inspection', sessionId: '447700900123', meta: { address: '1 High Street' } };

const faultsOf = (body: unknown): string[] => {
  try {
    readRenderRequest(body);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequest);
    return (error as InvalidRequest).errors.map((fault) => fault.path);
  }
};

describe('a render request', () => {
  it('names the template and the session', () => {
    expect(readRenderRequest({ templateId: 'inspection', source })).toEqual({
      source: { ...source, requireComplete: false, forceFinish: false },
    });
  });

  it('does without a meta', () => {
    const request = { templateId: 'inspection', source: { type: 'inspection', sessionId: 'x' } };
    expect(readRenderRequest(request).source).toMatchObject({ sessionId: 'x', meta: undefined });
  });

  it('is refused for an unknown template or source', () => {
    expect(faultsOf({ templateId: 'invoice', source })).toEqual(['templateId']);
    expect(faultsOf({ templateId: 'inspection', source: { ...source, type: 'order' } })).toEqual([
      'source.type',
    ]);
    expect(faultsOf(undefined)).not.toEqual([]);
    expect(faultsOf([])).not.toEqual([]);
  });

  it('is refused without a usable session id', () => {
    for (const sessionId of ['', 'x'.repeat(257), 'a\nb', 'a\ufffdb', {}, null, undefined]) {
      expect(faultsOf({ templateId: 'inspection', source: { ...source, sessionId } })).toEqual([
        'source.sessionId',
      ]);
    }
  });

  it('counts what is null or empty as absent, and reads a number as the name of its session', () => {
    const request = { templateId: 'inspection', source: { ...source, sessionId: 447700900123, meta: '' } };
    const read = readRenderRequest({ ...request, delivery: '', preview: null, maxBytes: null });
    expect(read).toEqual({
      source: { ...source, meta: undefined, requireComplete: false, forceFinish: false },
    });
  });

  it.each(['text', 7, [], true, undefined])('takes a meta of any type: %j', (meta) => {
    const request = { templateId: 'inspection', source: { ...source, meta } };
    expect(readRenderRequest(request).source).toHaveProperty('meta', meta);
  });

  it('names two reports for a comparison, and takes only texts for them', () => {
    const pair = { type: 'comparison', before: 'a', after: 'b' };
    expect(readRenderRequest({ templateId: 'comparison', source: pair })).toEqual({ source: pair });
    for (const wrong of [7, '', ['a'], { id: 'a' }, 'a\u0000b', 'x'.repeat(257)]) {
      expect(faultsOf({ templateId: 'comparison', source: { ...pair, before: wrong } })).toEqual([
        'source.before',
      ]);
    }
    expect(faultsOf({ templateId: 'comparison', source })).toContain('source.type');
    expect(faultsOf({ templateId: 'inspection', source: pair })).toContain('source.type');
  });

  it('takes plain recipients only, each once', () => {
    const withEmail = (email: unknown) => ({ templateId: 'inspection', source, delivery: { email } });
    const { email } = readRenderRequest(withEmail({ to: ['a@b.example', 'a@b.example'], subject: null }));
    expect(email).toEqual({ to: ['a@b.example'] });
    expect(readRenderRequest(withEmail(null)).email).toBeUndefined();
    expect(faultsOf(withEmail({ to: ['a@b.example\r\nBcc: c@d.example'] })).length).toBeGreaterThan(0);
    expect(faultsOf(withEmail({ to: [] })).length).toBeGreaterThan(0);
    expect(faultsOf(withEmail({})).length).toBeGreaterThan(0);
  });
});
