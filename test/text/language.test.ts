import { describe, expect, test } from 'vitest';
import { detectLanguage, repairLayout } from '../../src/text/language.ts';

describe('detectLanguage', () => {
  test.each([
    ['что такое президент', 'ru'],
    ['права человека', 'ru'],
    ['ст. 23', 'ru'],
    ['Кто такой Нұрсұлтан?', 'ru'],
    ['президент деген кім', 'kk'],
    ['адам кукыктары туралы', 'kk'],
    ['23-бап', 'kk'],
    ['Президенттің өкілеттігі', 'kk'],
    ['Кто не назначает министра?', 'ru'],
    ['Не избирается ли мэр?', 'ru'],
    ['Какие земли не продаются', 'ru'],
    ['министр не подлежит выдаче', 'ru'],
    ['Конституция не', 'kk'],
    ['Мэр не айтты', 'kk'],
    ['Президент не істейді?', 'kk'],
    ['who is the president', 'en'],
    ['president powers', 'en'],
    ['Article 23', 'en'],
    ['xnj nfrjt ghtpbltyn', 'ru'],
    ['chto takoe prezident', 'ru'],
    ['црфе шы ерфе', 'en'],
  ])('%s: %s', (text, expected) => {
    expect(detectLanguage(text)).toBe(expected);
  });

  test('returns one of the given languages, or the fallback', () => {
    expect(detectLanguage('who is the president', ['ru', 'kk'])).toBe('ru');
    expect(detectLanguage('президент деген кім', ['ru', 'en'])).toBe('ru');
    expect(detectLanguage('???', ['ru', 'en'], 'en')).toBe('en');
    expect(detectLanguage('???', ['kk', 'ru'])).toBe('kk');
  });
});

describe('repairLayout', () => {
  test('converts only text that was typed with the other layout', () => {
    expect(repairLayout('xnj nfrjt ghtpbltyn')).toBe('что такое президент');
    expect(repairLayout('црфе шы ерфе')).toBe('what is that');
    expect(repairLayout('what is that')).toBe('what is that');
    expect(repairLayout('Что такое API?')).toBe('Что такое API?');
    expect(repairLayout('NASA')).toBe('NASA');
  });
});
