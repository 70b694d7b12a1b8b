import CConcurrencySeam
import CInterleaving

@inline(__always)
private func inKernel<Result>(
  _ raw: UnsafeMutableRawPointer?, _ body: (Scheduler, Entity) -> Result
) -> Result {
  ci_enter_kernel()
  defer { ci_leave_kernel() }
  // C calls a hook with an entity only.
  let entity = Entity(raw.unsafelyUnwrapped)
  return body(entity.pointee.scheduler, entity)
}

/// What C calls: each of these finds the world of the entity that calls, and is the scheduler's own code.
enum Hooks {
  /// Installs the hooks in the process, once: they are inert for every thread that is in no world.
  static func install() { _ = installed }

  private static let installed: Bool = {
    MainExecutor.install()
    var hooks = ci_hooks()
    addWaits(to: &hooks)
    addTime(to: &hooks)
    addConcurrency(to: &hooks)
    addDispatch(to: &hooks)
    addDeepMode(to: &hooks)
    ci_install(&hooks)
    // Never freed: a listener is the process's.
    let listener = UnsafeMutablePointer<concurrency_seam_listener>.allocate(capacity: 1)
    listener.initialize(to: seamListener())
    concurrency_seam_add_listener(listener)
    return true
  }()

  // MARK: The seam

  private static func seamListener() -> concurrency_seam_listener {
    concurrency_seam_listener(
      will_acquire: { lock in
        guard let me = ci_enter_as_entity() else { return }
        defer { ci_leave_kernel() }
        let entity = Entity(me)
        entity.pointee.scheduler.acquire(entity, UInt(bitPattern: lock))
      },
      did_acquire: nil, will_release: nil,
      did_release: { lock in
        guard let me = ci_enter_as_entity() else { return }
        defer { ci_leave_kernel() }
        let entity = Entity(me)
        entity.pointee.scheduler.release(entity, UInt(bitPattern: lock))
      },
      pass: { label, object in
        guard let me = ci_enter_as_entity() else { return }
        defer { ci_leave_kernel() }
        let entity = Entity(me)
        entity.pointee.label = label
        entity.pointee.scheduler.pass(entity, object)
      },
      next: nil)
  }

  // MARK: Locks and time

  private static func addWaits(to hooks: inout ci_hooks) {
    hooks.wait = { me, address, kind, owner, deadline in
      inKernel(me) { $0.wait($1, UInt(bitPattern: address), kind, owner: owner, until: deadline) }
    }
    hooks.wake = { me, address, all in
      inKernel(me) { $0.wake($1, UInt(bitPattern: address), all: all) }
    }
    hooks.freed = { me, object, size in
      inKernel(me) { scheduler, _ in scheduler.forget(UInt(bitPattern: object), size) }
    }
    hooks.owns = { me, thread in inKernel(me) { scheduler, _ in scheduler.number(ofThread: thread) >= 0 } }
    hooks.acquired = { me, address in
      inKernel(me) { scheduler, me in
        let lock = scheduler.resource(at: UInt(bitPattern: address), .lock)
        scheduler.touch(me, lock, .acquires)
        scheduler.clocks?.acquire(me, lock)
      }
    }
    hooks.released = { me, address in
      inKernel(me) { scheduler, me in
        let lock = scheduler.resource(at: UInt(bitPattern: address), .lock)
        scheduler.touch(me, lock, .releases)
        scheduler.clocks?.release(me, lock)
      }
    }
    hooks.reentered = { me, address in
      inKernel(me) { scheduler, me in
        let lock = scheduler.resource(at: UInt(bitPattern: address), .lock)
        scheduler.found(
          .reentrancy, "\(me.pointee.name) takes \(scheduler.name(of: lock)), which it holds")
        scheduler.leave(me)
      }
    }
    hooks.unmodelled = { me, name in
      inKernel(me) { scheduler, me in
        let name = name.map { String(cString: $0) } ?? ""
        scheduler.found(
          .unmodelled,
          "\(me.pointee.name) calls \(name), which a world does not take over: use what docs/interleaving.md lists"
        )
        scheduler.state.pointee.finding?.stacks = [
          Finding.Stack(entity: me.pointee.name, frames: StackFrames.here())
        ]
        scheduler.leave(me)
      }
    }
    hooks.point = { me, label in
      inKernel(me) { scheduler, me in
        me.pointee.label = label
        scheduler.pass(me, nil)
      }
    }
  }

  private static func addTime(to hooks: inout ci_hooks) {
    hooks.now = { me in inKernel(me) { scheduler, _ in scheduler.state.pointee.now } }
    hooks.sleep_until = { me, deadline in inKernel(me) { $0.sleep($1, until: deadline) } }
    hooks.random = { me, bytes, count in
      inKernel(me) { $0.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count), $1) }
    }
  }

  // MARK: Swift's concurrency

  private static func addConcurrency(to hooks: inout ci_hooks) {
    hooks.enqueue = { me, job in
      guard let job else { return }
      inKernel(me) { scheduler, _ in scheduler.enqueue(Job(pointer: job, function: nil)) }
    }
    hooks.enqueue_work = { me, context, function, deadline in
      guard let context else { return }
      inKernel(me) { scheduler, _ in
        var job = Job(pointer: context, function: function)
        if deadline <= scheduler.state.pointee.now {
          scheduler.enqueue(job)
        } else if deadline != .max {
          if let clocks = scheduler.clocks { job.clock = clocks.snapshot() }
          scheduler.addTimer(at: deadline, .job(job))
        }
      }
    }
    hooks.switches = { me in inKernel(me) { _, me in me.pointee.switches } }
    hooks.task_made = { me, task, isChild, makers in
      guard let task, let makers else { return }
      inKernel(me) { scheduler, me in
        scheduler.state.pointee.hasTasks = true
        scheduler.clocks?.strands?.made(ci_task_number(task), isChild: isChild, me)
        scheduler.state.pointee.tasks.made(
          task, makers: (UInt(bitPattern: makers[0]), UInt(bitPattern: makers[1])))
      }
    }
    hooks.task_ended = { me, task in
      guard let task else { return }
      inKernel(me) { scheduler, _ in
        scheduler.state.pointee.progress &+= 1
        scheduler.state.pointee.tasks.ended(task)
        scheduler.clocks?.strands?.ended(ci_task_number(task))
      }
    }
    hooks.resumes = { me, task in inKernel(me) { $0.clocks?.strands?.resumes(task, $1) } }
    hooks.switched = { me in
      inKernel(me) { scheduler, me in
        scheduler.touchAll(me)
        scheduler.clocks?.switched(me)
      }
    }
    hooks.held_back = { task in task.map { Worlds.holdsBack($0) } ?? false }
  }

  // MARK: Deep mode

  private static func addDeepMode(to hooks: inout ci_hooks) {
    hooks.accessed = { me, address, size, isWrite, caller in
      inKernel(me) { $0.accessed($1, UInt(bitPattern: address), size, isWrite: isWrite, caller: caller) }
    }
    hooks.atomic = { me, address, operation, acquires, releases in
      inKernel(me) {
        $0.atomic($1, UInt(bitPattern: address), operation, acquires: acquires, releases: releases)
      }
    }
    hooks.freed_memory = { me, memory, size in
      inKernel(me) { scheduler, _ in scheduler.state.pointee.shadow?.forget(UInt(bitPattern: memory), size) }
    }
    hooks.made_once = { me, token in
      inKernel(me) { scheduler, me in
        let object = scheduler.resource(at: UInt(bitPattern: token), .object)
        scheduler.clocks?.acquire(me, object)
        scheduler.clocks?.release(me, object)
      }
    }
    hooks.job_begins = { me, number in inKernel(me) { $0.clocks?.strands?.jobBegins(number, $1) } }
    hooks.job_ends = { me in inKernel(me) { $0.clocks?.strands?.jobEnds($1) } }
    hooks.part_begins = { me, task, executor in
      inKernel(me) { $0.clocks?.strands?.partBegins(task, UInt(bitPattern: executor), $1) }
    }
    hooks.part_ends = { me, executor in
      inKernel(me) { $0.clocks?.strands?.partEnds(UInt(bitPattern: executor), $1) }
    }
    hooks.awaits = { me, task in inKernel(me) { $0.clocks?.strands?.awaits(task, $1) } }
    hooks.child_made = { me, child, task in
      inKernel(me) { scheduler, _ in scheduler.clocks?.strands?.named(UInt(bitPattern: child), task) }
    }
    hooks.awaits_child = { me, child in
      inKernel(me) { $0.clocks?.strands?.awaits(named: UInt(bitPattern: child), $1) }
    }
  }

  // MARK: Dispatch

  private static func addDispatch(to hooks: inout ci_hooks) {
    hooks.dispatch_async = { me, queue, context, function, isBlock, isBarrier, group in
      guard let queue, let function else { return }
      inKernel(me) { scheduler, _ in
        let work = DispatchWork(
          context: context, function: function, isBlock: isBlock, isBarrier: isBarrier, group: group)
        scheduler.submit(work, to: scheduler.queue(at: queue))
      }
    }
    hooks.dispatch_after = { me, deadline, queue, context, function, isBlock in
      guard let queue, let function else { return }
      inKernel(me) { scheduler, _ in
        var work = DispatchWork(context: context, function: function, isBlock: isBlock)
        if let clocks = scheduler.clocks { work.clock = clocks.snapshot() }
        ci_announce_release(queue)
        scheduler.addTimer(at: deadline, .work(work, queue: scheduler.queue(at: queue)))
      }
    }
    hooks.dispatch_sync = { me, queue, context, function, isBarrier in
      guard let queue, let function, let me else { return }
      let entity = Entity(me)
      entity.pointee.scheduler.performSynchronously(
        DispatchWork(context: context, function: function, isBlock: false, isBarrier: isBarrier), on: queue,
        entity)
    }
    hooks.dispatch_notify = { me, group, queue, context, function, isBlock in
      guard let group, let queue, let function else { return }
      inKernel(me) { scheduler, _ in
        scheduler.notify(
          group, DispatchWork(context: context, function: function, isBlock: isBlock),
          on: scheduler.queue(at: queue))
      }
    }
    hooks.dispatch_left = { me, group in
      guard let group else { return }
      inKernel(me) { $0.left(group, $1) }
    }
    hooks.dispatch_current = { me, depth in
      inKernel(me) { scheduler, me in
        let queues = me.pointee.queues
        if depth < queues.count {
          return scheduler.state.pointee.queues.queues[queues[queues.count - 1 - depth]].address
        }
        // The main actor's jobs are the main queue's work as well.
        return depth == queues.count && me.pointee.role == .main ? ci_dispatch_main() : nil
      }
    }
  }
}
