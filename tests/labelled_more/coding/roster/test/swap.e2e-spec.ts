import { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import * as request from 'supertest';
import { AppModule } from '../src/app.module';

describe('swap (e2e)', () => {
  let app: INestApplication;

  beforeAll(async () => {
    const ref = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = ref.createNestApplication();
    await app.init();
  });

  afterAll(() => app.close());

  it('refuses a swap that leaves under eleven hours of rest', () =>
    request(app.getHttpServer())
      .post('/shifts/17/swap')
      .send({ from: 'p1', to: 'p4' })
      .expect(409)
      .expect(({ body }) => expect(body.message).toBe('rest')));

  it.each([['p2', 201], ['p9', 409]])('to %s gives %i', (to, code) =>
    request(app.getHttpServer()).post('/shifts/18/swap').send({ from: 'p1', to }).expect(code));
});
