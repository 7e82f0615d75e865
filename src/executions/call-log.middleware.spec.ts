import { recordedRoute } from './call-log.middleware.js';

describe('a recorded call', () => {
  it.each([
    ['/api/v1/prediction/abc', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/abc/', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/abc?streaming=true', { kind: 'prediction', flowId: 'abc' }],
    ['/API/v1/Prediction/abc', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/%C3%A9', { kind: 'prediction', flowId: 'é' }],
    ['/api/v1/prediction/%E0%A4%A', { kind: 'prediction', flowId: '%E0%A4%A' }],
    ['/api/v1/prediction/a%00b', { kind: 'prediction', flowId: 'a\ufffdb' }],
    ['/api/v1/flows/abc/run', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/inspection/capture?flowId=abc', { kind: 'capture' }],
    ['/api/v1/pdf/render', { kind: 'render' }],
  ])('is one to %s', (address, route) => {
    expect(recordedRoute(address)).toEqual(route);
  });

  it.each([
    '/',
    '/api/v1/prediction',
    '/api/v1/prediction/',
    '/api/v1/prediction/abc/stream',
    '/api/v1/flows/abc',
    '/api/v1/flows/import',
    '/api/v1/inspection/sessions',
    '/api/v1/inspection/capture/x',
    '/api/v1/pdf/reports',
    '/api/v2/prediction/abc',
    '/x/api/v1/prediction/abc',
    '/api/v1/feedback/abc',
  ])('is not one to %s', (address) => {
    expect(recordedRoute(address)).toBeUndefined();
  });
});
