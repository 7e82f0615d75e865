import { Controller, Get, Post, Put } from '@nestjs/common';
import { DiscoveryModule, Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { RouteTable } from './route-table.js';

const Loud = Reflector.createDecorator<number>();

@Controller('api/things/')
@Loud(1)
class Things {
  @Get()
  list(): void {}

  @Loud(2)
  @Post('/:id/parts')
  add(): void {}

  notARoute(): void {}
}

@Controller()
class Pages {
  @Get(['', 'pages/:name'])
  show(): void {}

  @Loud(3)
  @Put('pages/:name')
  save(): void {}
}

describe('the table of routes', () => {
  let table: RouteTable;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      controllers: [Things, Pages],
      providers: [RouteTable],
    }).compile();
    table = module.get(RouteTable);
  });

  it('has every route as its controller declares it, and is there before the application is', () => {
    expect(table.routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/things',
      'POST /api/things/:id/parts',
      'GET /',
      'GET /pages/:name',
      'PUT /pages/:name',
    ]);
  });

  it('tells which routes say something of themselves; what a route says counts before what its controller says', () => {
    expect(
      table.withDecorator(Loud).map(({ route, value: said }) => [route.method, route.path, said]),
    ).toEqual([
      ['GET', '/api/things', 1],
      ['POST', '/api/things/:id/parts', 2],
      ['PUT', '/pages/:name', 3],
    ]);
  });
});
