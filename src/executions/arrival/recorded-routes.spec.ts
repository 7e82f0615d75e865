import { Controller, Get, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RouteTable } from '../../common/http/route-table.js';
import { Recorded, RecordedRoutes } from './recorded-routes.js';

@Controller('api/v1')
class StandIns {
  @Recorded({ kind: 'prediction' })
  @Post('prediction/:flowId')
  predict(): void {}

  @Get('prediction/:flowId/stream')
  resume(): void {}

  @Recorded({ kind: 'prediction' })
  @Post('flows/:flowId/run')
  run(): void {}

  @Post('flows/import')
  import(): void {}

  @Recorded({ kind: 'capture', flowIdIn: 'query' })
  @Post('inspection/capture')
  capture(): void {}

  @Recorded({ kind: 'render' })
  @Post('pdf/render')
  render(): void {}
}

describe('a recorded call', () => {
  let routes: RecordedRoutes;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [StandIns],
      providers: [RouteTable, RecordedRoutes],
    }).compile();
    routes = module.get(RecordedRoutes);
  });

  it.each([
    ['/api/v1/prediction/abc', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/abc/', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/abc?streaming=true', { kind: 'prediction', flowId: 'abc' }],
    ['/API/v1/Prediction/abc', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/prediction/%C3%A9', { kind: 'prediction', flowId: 'é' }],
    ['/api/v1/prediction/%E0%A4%A', { kind: 'prediction', flowId: '%E0%A4%A' }],
    ['/api/v1/prediction/a%00b', { kind: 'prediction', flowId: 'a\ufffdb' }],
    ['/api/v1/flows/abc/run', { kind: 'prediction', flowId: 'abc' }],
    ['/api/v1/inspection/capture?flowId=abc', { kind: 'capture', flowId: 'abc' }],
    ['/api/v1/inspection/capture', { kind: 'capture' }],
    ['/api/v1/inspection/Capture/?flowId=%E0', { kind: 'capture', flowId: '\ufffd' }],
    ['/api/v1/pdf/render', { kind: 'render' }],
    ['/api/v1/pdf/render?flowId=abc', { kind: 'render' }],
  ])('is one to %s', (address, route) => {
    expect(routes.callTo(address)).toEqual(route);
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
    '/api/v1/prediction/abc/x/y/z',
    '/api/v1/flows//run',
    'http://elsewhere.example/api/v1/prediction/abc',
  ])('is not one to %s', (address) => {
    expect(routes.callTo(address)).toBeUndefined();
  });
});
