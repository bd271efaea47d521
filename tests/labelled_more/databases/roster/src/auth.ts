import { Column, Entity, Index, ManyToOne, OneToMany, PrimaryGeneratedColumn, Repository } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';

@Entity('author')
export class Author {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ length: 120 }) name!: string;
  @Index() @Column({ name: 'sort_name' }) sortName!: string;
  @OneToMany(() => Work, (w) => w.author) works!: Work[];
}

@Entity('work')
export class Work {
  @PrimaryGeneratedColumn() id!: number;
  @Column() title!: string;
  @Column({ type: 'smallint', nullable: true }) year?: number;
  @ManyToOne(() => Author, (a) => a.works, { nullable: false, onDelete: 'RESTRICT' }) author!: Author;
}

@Injectable()
export class Authors {
  constructor(@InjectRepository(Author) private readonly repo: Repository<Author>) {}

  startingWith(letter: string) {
    return this.repo.createQueryBuilder('a').leftJoinAndSelect('a.works', 'w')
      .where('a.sortName ILIKE :l', { l: `${letter}%` }).orderBy('a.sortName').getMany();
  }
}
